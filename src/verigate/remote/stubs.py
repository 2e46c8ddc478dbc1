"""The generated stubs of the Remote Execution API v2 and ByteStream, from the package buildgrid-common.

Loaded where a server is configured, and nowhere else: gRPC takes longer to load than a short verification.
"""

from __future__ import annotations

import os

# The gate starts processes by fork and exec, which needs none of gRPC's handlers; its log would go to people.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc
from buildgrid.common.protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as reapi
from buildgrid.common.protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as reapi_grpc
from buildgrid.common.protos.google.bytestream import bytestream_pb2 as bytestream
from buildgrid.common.protos.google.bytestream import bytestream_pb2_grpc as bytestream_grpc

__all__ = ["bytestream", "bytestream_grpc", "grpc", "reapi", "reapi_grpc"]
