#!/bin/bash -eu
# SPDX-License-Identifier: MIT
# ClusterFuzzLite builds what OSS-Fuzz builds.
exec "$SRC/voxcert/fuzz/oss-fuzz/build.sh"
