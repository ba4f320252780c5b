/* SPDX-License-Identifier: Apache-2.0 */
#include "core/observer.h"

const struct pacl_observer *pacl_observer;
