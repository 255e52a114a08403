"""A cluster of Slurm on this machine alone, without systemd."""

import os
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# A job that goes back to the queue begins when its old credential has expired: after two minutes, else.
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
JobRequeue=1
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort={port0}
SlurmdPort={port1}
SlurmdTimeout=10
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1,requeue_delay=1
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1024 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def find(name):
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class DoesNotStart(Exception):
    """A daemon does not run here."""


class SlurmCluster:
    def __init__(self, folder):
        self.folder = folder
        for name in ("munge", "state", "spool"):
            os.mkdir(os.path.join(folder, name), 0o700)
        self.configuration = os.path.join(folder, "slurm.conf")
        ports = free_ports(2)
        with open(self.configuration, "w") as file:
            file.write(CONFIGURATION.format(host=socket.gethostname(), folder=folder, port0=ports[0], port1=ports[1]))
        self.variables = {"SLURM_CONF": self.configuration}

    def start(self):
        self._start_munge()
        self._run("slurmctld", "-f", self.configuration)
        self.start_node()
        self._wait_for_node()

    def _run(self, name, *args):
        done = subprocess.run([find(name), *args], env={**os.environ, **self.variables},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode != 0:
            raise DoesNotStart(f"{name} exits with {done.returncode}")

    def _start_munge(self):
        key = os.path.join(self.folder, "munge", "key")
        with open(key, "wb") as file:
            file.write(os.urandom(1024))
        os.chmod(key, 0o400)
        part = {name: os.path.join(self.folder, "munge", name) for name in ("socket", "pid", "log", "seed")}
        self._run("munged", "--force", f"--key-file={key}", f"--socket={part['socket']}", f"--pid-file={part['pid']}",
                  f"--log-file={part['log']}", f"--seed-file={part['seed']}")

    def start_node(self):
        self._run("slurmd", "-f", self.configuration, "-N", socket.gethostname())

    def kill_node(self):
        self._signal("slurmd.pid", signal.SIGKILL)

    def call(self, *words):
        done = subprocess.run(words, env={**os.environ, **self.variables}, capture_output=True, text=True, timeout=60)
        return done.stdout

    def _wait_for_node(self):
        for _ in range(100):
            if "idle" in self.call("sinfo", "--noheader", "--format=%t"):
                return
            time.sleep(0.1)
        raise DoesNotStart("its node does not come up")

    def _signal(self, name, number):
        try:
            with open(os.path.join(self.folder, name)) as file:
                os.kill(int(file.read()), number)
        except (OSError, ValueError):
            pass

    def stop(self):
        self.call("scancel", "--user=root")
        for name in ("slurmd.pid", "slurmctld.pid", "munge/pid"):
            self._signal(name, signal.SIGTERM)
