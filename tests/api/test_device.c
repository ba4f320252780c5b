/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: choosing, resetting, counting, waiting for them, peers. */
#include "support.h"

static void default_product(void)
{
    use_default_product();
}

/* DEV-174 [code] */
START_TEST(dev_174_set_device_999)
{
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtSetDevice(999));
    ASSERT_MESSAGE_NAMES("aclrtSetDevice", "999");
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtSetDevice(8)); /* one past the last of eight */
    ASSERT_OK(aclrtSetDevice(7));
}
END_TEST

/* DEV-175 [code] */
START_TEST(dev_175_set_device_minus_1)
{
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtSetDevice(-1));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtResetDevice(-1));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtResetDevice(999));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtResetDeviceForce(999));
}
END_TEST

/* DEV-177 [code] */
START_TEST(dev_177_reset_device_twice)
{
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtResetDevice(0));
    ASSERT_CODE(E_RT_CONTEXT_RELEASE_ERROR, aclrtResetDevice(0));
    ASSERT_MESSAGE_NAMES("aclrtResetDevice");
}
END_TEST

START_TEST(reset_device_without_set)
{
    ASSERT_CODE(E_RT_CONTEXT_RELEASE_ERROR, aclrtResetDevice(1));
}
END_TEST

/* DEV-178 [code] */
START_TEST(dev_178_set_device_counts)
{
    int32_t id = -1;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtResetDevice(0));
    ASSERT_OK(aclrtGetDevice(&id));
    ck_assert_int_eq(id, 0);
    void *at;
    ASSERT_OK(aclrtMalloc(&at, 64, ACL_MEM_MALLOC_HUGE_FIRST));
}
END_TEST

START_TEST(reset_device_force_ignores_the_count)
{
    int32_t id;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtResetDeviceForce(0));
    ASSERT_CODE(E_RT_CONTEXT_NULL, aclrtGetDevice(&id));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtGetDevice(&id));
}
END_TEST

START_TEST(reset_destroys_the_primary_contexts_streams_and_events)
{
    aclrtContext primary;
    aclrtStream stream;
    aclrtEvent event;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtGetCurrentContext(&primary));
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtCreateEvent(&event));
    ASSERT_OK(aclrtResetDevice(0));
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSynchronizeStream(stream));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtSynchronizeEvent(event));
    ASSERT_CODE(E_RT_INVALID_HANDLE, aclrtDestroyStream(stream));
}
END_TEST

START_TEST(reset_leaves_explicit_contexts_alone)
{
    aclrtContext context;
    aclrtStream stream;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_OK(aclrtCreateStream(&stream));
    ASSERT_OK(aclrtResetDevice(0));
    ASSERT_OK(aclrtSetCurrentContext(context));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ASSERT_OK(aclrtDestroyContext(context));
}
END_TEST

static aclError get_device(void)
{
    int32_t id;
    return aclrtGetDevice(&id);
}

static aclError get_device_after_set(void)
{
    int32_t id = -1;
    const aclError err = aclrtSetDevice(1);
    if (err != ACL_SUCCESS)
        return err;
    return aclrtGetDevice(&id) == ACL_SUCCESS && id == 1 ? ACL_SUCCESS : -2;
}

/* R17 */
START_TEST(r17_each_thread_sets_its_device)
{
    int32_t id = -1;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_CODE(E_RT_CONTEXT_NULL, in_new_thread(get_device));
    ASSERT_OK(in_new_thread(get_device_after_set));
    ASSERT_OK(aclrtGetDevice(&id));
    ck_assert_int_eq(id, 0);
}
END_TEST

START_TEST(null_outputs)
{
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetDevice(NULL));
    ASSERT_MESSAGE_NAMES("aclrtGetDevice");
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetDeviceCount(NULL));
    ASSERT_MESSAGE_NAMES("aclrtGetDeviceCount");
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetRunMode(NULL));
    ASSERT_MESSAGE_NAMES("aclrtGetRunMode");
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICORE_CORE_NUM, NULL));
    ASSERT_MESSAGE_NAMES("aclrtGetDeviceInfo");
}
END_TEST

START_TEST(null_output_comes_before_the_missing_context)
{
    ASSERT_CODE(E_INVALID_PARAM, aclrtGetDevice(NULL));
    ASSERT_CODE(E_RT_CONTEXT_NULL, get_device());
}
END_TEST

/* DEV-180 [doc] */
START_TEST(dev_180_run_mode_of_a_card_in_a_host)
{
    aclrtRunMode mode = ACL_DEVICE;
    ASSERT_OK(aclrtGetRunMode(&mode));
    ck_assert_int_eq(mode, ACL_HOST);
}
END_TEST

START_TEST(device_info)
{
    int64_t value = -1;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICORE_CORE_NUM, &value));
    ck_assert_int_eq(value, 24);
    ASSERT_OK(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &value));
    ck_assert_int_eq(value, 48);
    const aclError err = aclrtGetDeviceInfo(0, (aclrtDevAttr)9999, &value);
    ck_assert_msg(err == E_INVALID_PARAM || err == E_RT_PARAM_INVALID, "%d", err);
    ASSERT_REFUSED(aclrtGetDeviceInfo(999, ACL_DEV_ATTR_AICORE_CORE_NUM, &value));
}
END_TEST

START_TEST(decision_12_device_count_of_the_product)
{
    uint32_t count = 0;
    ASSERT_OK(aclrtGetDeviceCount(&count));
    ck_assert_uint_eq(count, 8);
}
END_TEST

START_TEST(decision_12_pacl_devices_overrides_it)
{
    uint32_t count = 0;
    setenv("PACL_DEVICES", "3", 1);
    ASSERT_OK(aclrtGetDeviceCount(&count));
    ck_assert_uint_eq(count, 3);
    ASSERT_OK(aclrtSetDevice(2));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtSetDevice(3));
}
END_TEST

static void assert_visible(const char *list, uint32_t want)
{
    uint32_t count = 99;
    setenv("ASCEND_RT_VISIBLE_DEVICES", list, 1);
    ASSERT_OK(aclrtGetDeviceCount(&count));
    ck_assert_uint_eq(count, want);
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtSetDevice((int32_t)want));
    if (want > 0)
        ASSERT_OK(aclrtSetDevice((int32_t)want - 1));
}

/* DEV-189 [doc] */
START_TEST(dev_189_visible_devices_stop_at_the_first_invalid_entry)
{
    assert_visible("0,x,1", 1);
}
END_TEST

START_TEST(visible_devices_renumber)
{
    assert_visible("2,5", 2);
}
END_TEST

START_TEST(visible_devices_stop_where_the_order_breaks)
{
    assert_visible("3,4,1", 2);
}
END_TEST

START_TEST(visible_devices_stop_at_a_number_that_does_not_exist)
{
    assert_visible("1,8", 1);
}
END_TEST

START_TEST(visible_devices_empty)
{
    assert_visible("", 0);
}
END_TEST

/* --- peers ------------------------------------------------------------------------------------------------------ */

/* DEV-182 [code] */
START_TEST(dev_182_can_access_itself)
{
    int32_t can;
    ASSERT_CODE(E_INVALID_PARAM, aclrtDeviceCanAccessPeer(&can, 0, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtDeviceCanAccessPeer(NULL, 0, 0)); /* tested before the output */
}
END_TEST

/* DEV-183 [code] */
START_TEST(dev_183_can_access_without_output)
{
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtDeviceCanAccessPeer(NULL, 0, 1));
}
END_TEST

START_TEST(can_access_peer)
{
    int32_t can = -1;
    ASSERT_OK(aclrtDeviceCanAccessPeer(&can, 0, 1));
    ck_assert(can == 0 || can == 1);
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtDeviceCanAccessPeer(&can, 0, 999));
    ASSERT_CODE(E_RT_INVALID_DEVICEID, aclrtDeviceCanAccessPeer(&can, 999, 0));
}
END_TEST

/* DEV-184 [code] */
START_TEST(dev_184_enable_peer_access_with_flags)
{
    ASSERT_CODE(E_FEATURE_UNSUPPORTED, aclrtDeviceEnablePeerAccess(1, 1)); /* before the context */
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_CODE(E_FEATURE_UNSUPPORTED, aclrtDeviceEnablePeerAccess(1, 1));
    ASSERT_MESSAGE_NAMES("aclrtDeviceEnablePeerAccess", "flags");
}
END_TEST

/* DEV-185 [code] */
START_TEST(dev_185_enable_peer_access_to_itself)
{
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtDeviceEnablePeerAccess(0, 0));
    ASSERT_CODE(E_INVALID_PARAM, aclrtDeviceDisablePeerAccess(0));
}
END_TEST

START_TEST(enable_peer_access_without_a_context)
{
    ASSERT_CODE(E_RT_CONTEXT_NULL, aclrtDeviceEnablePeerAccess(1, 0));
}
END_TEST

static int32_t peer_status(int32_t device, int32_t peer)
{
    int32_t status = -1;
    ASSERT_OK(aclrtDevicePeerAccessStatus(device, peer, &status));
    return status;
}

START_TEST(peer_access_is_one_direction_and_may_be_repeated)
{
    ASSERT_OK(aclrtSetDevice(0));
    ck_assert_int_eq(peer_status(0, 1), 0);
    ASSERT_OK(aclrtDeviceEnablePeerAccess(1, 0));
    ASSERT_OK(aclrtDeviceEnablePeerAccess(1, 0));
    ck_assert_int_eq(peer_status(0, 1), 1);
    ck_assert_int_eq(peer_status(1, 0), 0);
    ASSERT_OK(aclrtDeviceDisablePeerAccess(1));
    ck_assert_int_eq(peer_status(0, 1), 0);
    ASSERT_CODE(E_INVALID_PARAM, aclrtDevicePeerAccessStatus(0, 1, NULL));
}
END_TEST

/* --- waiting ---------------------------------------------------------------------------------------------------- */

/* DEV-186 [code] */
START_TEST(dev_186_synchronize_device_without_a_context)
{
    ASSERT_CODE(E_RT_CONTEXT_NULL, aclrtSynchronizeDevice());
}
END_TEST

/* DEV-187 [code] */
START_TEST(dev_187_synchronize_device_with_timeout_0)
{
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSynchronizeDeviceWithTimeout(0));
    ASSERT_CODE(E_RT_PARAM_INVALID, aclrtSynchronizeDeviceWithTimeout(-2));
    ASSERT_MESSAGE_NAMES("aclrtSynchronizeDeviceWithTimeout", "timeout");
    ASSERT_OK(aclrtSynchronizeDeviceWithTimeout(-1));
    ASSERT_OK(aclrtSynchronizeDeviceWithTimeout(10000));
}
END_TEST

START_TEST(synchronize_device_with_timeout_expires)
{
    struct gate gate;
    aclrtStream stream;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtCreateStream(&stream));
    gate_close(&gate, stream);
    ASSERT_CODE(E_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeDeviceWithTimeout(20));
    ck_assert(!gate_passed(&gate));
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeDeviceWithTimeout(-1));
    ck_assert(gate_passed(&gate));
}
END_TEST

START_TEST(synchronize_device_waits_for_the_streams_of_every_context)
{
    struct gate gates[3];
    aclrtStream first;
    aclrtStream second;
    aclrtContext context;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtCreateStream(&first));
    gate_close(&gates[0], first);
    gate_close(&gates[1], NULL);
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_OK(aclrtCreateStream(&second));
    gate_close(&gates[2], second);
    ASSERT_OK(aclrtSetDevice(0));
    for (size_t i = 0; i < COUNT_OF(gates); i++)
        gate_open_once_blocked(&gates[i]);
    ASSERT_OK(aclrtSynchronizeDevice());
    for (size_t i = 0; i < COUNT_OF(gates); i++) {
        ck_assert_msg(gate_passed(&gates[i]), "gate %zu", i);
        gate_join(&gates[i]);
    }
}
END_TEST

START_TEST(synchronize_device_does_not_wait_for_another_device)
{
    struct gate gate;
    aclrtStream stream;
    ASSERT_OK(aclrtSetDevice(1));
    ASSERT_OK(aclrtCreateStream(&stream));
    gate_close(&gate, stream);
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtSynchronizeDevice()); /* would never return */
    gate_open(&gate);
    ASSERT_OK(aclrtSynchronizeStream(stream));
}
END_TEST

int main(void)
{
    TCase *const tc = new_case("device", default_product, NULL);
    tcase_add_test(tc, dev_174_set_device_999);
    tcase_add_test(tc, dev_175_set_device_minus_1);
    tcase_add_test(tc, dev_177_reset_device_twice);
    tcase_add_test(tc, reset_device_without_set);
    tcase_add_test(tc, dev_178_set_device_counts);
    tcase_add_test(tc, reset_device_force_ignores_the_count);
    tcase_add_test(tc, reset_destroys_the_primary_contexts_streams_and_events);
    tcase_add_test(tc, reset_leaves_explicit_contexts_alone);
    tcase_add_test(tc, r17_each_thread_sets_its_device);
    tcase_add_test(tc, null_outputs);
    tcase_add_test(tc, null_output_comes_before_the_missing_context);
    tcase_add_test(tc, dev_180_run_mode_of_a_card_in_a_host);
    tcase_add_test(tc, device_info);
    tcase_add_test(tc, decision_12_device_count_of_the_product);
    tcase_add_test(tc, decision_12_pacl_devices_overrides_it);
    tcase_add_test(tc, dev_189_visible_devices_stop_at_the_first_invalid_entry);
    tcase_add_test(tc, visible_devices_renumber);
    tcase_add_test(tc, visible_devices_stop_where_the_order_breaks);
    tcase_add_test(tc, visible_devices_stop_at_a_number_that_does_not_exist);
    tcase_add_test(tc, visible_devices_empty);
    tcase_add_test(tc, dev_182_can_access_itself);
    tcase_add_test(tc, dev_183_can_access_without_output);
    tcase_add_test(tc, can_access_peer);
    tcase_add_test(tc, dev_184_enable_peer_access_with_flags);
    tcase_add_test(tc, dev_185_enable_peer_access_to_itself);
    tcase_add_test(tc, enable_peer_access_without_a_context);
    tcase_add_test(tc, peer_access_is_one_direction_and_may_be_repeated);
    tcase_add_test(tc, dev_186_synchronize_device_without_a_context);
    tcase_add_test(tc, dev_187_synchronize_device_with_timeout_0);
    tcase_add_test(tc, synchronize_device_with_timeout_expires);
    tcase_add_test(tc, synchronize_device_waits_for_the_streams_of_every_context);
    tcase_add_test(tc, synchronize_device_does_not_wait_for_another_device);
    return run_cases("device", tc, (TCase *)NULL);
}
