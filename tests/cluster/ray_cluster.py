"""Three raylets on this machine: prints their address, and kills one of them on request.

Runs in a Python with ray. Lines of standard input: "kill" kills the last raylet; the end of the input ends all.
"""

import sys

from ray.cluster_utils import Cluster

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
print(cluster.address, flush=True)
for line in sys.stdin:
    if line.strip() == "kill":
        cluster.remove_node(nodes.pop(), allow_graceful=False)
        print("killed", flush=True)
cluster.shutdown()
