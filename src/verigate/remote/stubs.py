"""The generated stubs of the Remote Execution, ByteStream and Remote Workers APIs, from the package buildgrid-common.

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
from buildgrid.common.protos.google.devtools.remoteworkers.v1test2 import bots_pb2 as bots
from buildgrid.common.protos.google.devtools.remoteworkers.v1test2 import bots_pb2_grpc as bots_grpc
from buildgrid.common.protos.google.longrunning import operations_pb2 as operations
from buildgrid.common.protos.google.longrunning import operations_pb2_grpc as operations_grpc

__all__ = [
    "bots",
    "bots_grpc",
    "bytestream",
    "bytestream_grpc",
    "grpc",
    "operations",
    "operations_grpc",
    "reapi",
    "reapi_grpc",
]
