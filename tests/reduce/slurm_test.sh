#!/bin/sh
# slurm_test.sh SOURCE BIN: a cluster of this one machine, started without systemd, and checks that go through it. Skipped (77) where
# Slurm is not installed (Debian: slurmctld slurmd slurm-client munge) or not run by root.
set -eu
for program in munged slurmctld slurmd srun; do
  command -v $program >/dev/null || { echo "skipped: there is no $program"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: daemons of Slurm are started by root"; exit 77; }
PATH=$(cd "$2" && pwd):$PATH
export PATH
models=$(cd "$1" && pwd)/examples/debugging/models
work=$(mktemp -d)
chmod 755 "$work"
pids=
# Only what was started here.
trap 'for pid in $pids; do kill $pid 2>/dev/null || :; done; wait; rm -rf "$work"' EXIT
host=$(hostname -s)
port=$((20000 + $$ % 20000))
mkdir "$work/munge" "$work/state" "$work/spool" "$work/shared"
dd if=/dev/urandom of="$work/munge/key" bs=1024 count=1 2>/dev/null
chmod 700 "$work/munge"
chmod 400 "$work/munge/key"
cat >"$work/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$work/munge/socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SwitchType=switch/none
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
END
SLURM_CONF=$work/slurm.conf
export SLURM_CONF
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
  --log-file="$work/munge/log" --seed-file="$work/munge/seed" --num-threads=2 >"$work/munged.log" 2>&1 &
pids="$pids $!"
while [ ! -S "$work/munge/socket" ]; do kill -0 $! || { cat "$work/munged.log"; exit 1; }; sleep 0.1; done
chmod 711 "$work/munge"
slurmctld -D -f "$SLURM_CONF" >"$work/slurmctld.log" 2>&1 &
pids="$pids $!"
slurmd -D -f "$SLURM_CONF" -N "$host" >"$work/slurmd.log" 2>&1 &
pids="$pids $!"
left=100
until srun -n1 --immediate=5 true 2>"$work/srun.log"; do
  left=$((left - 1))
  [ $left -gt 0 ] || { echo "skipped: the cluster does not start here"; tail -n 20 "$work"/*.log; exit 77; }
  sleep 0.3
done

cd "$work"
polygraphy debug reduce "$models/two_branches.onnx" -o reduced.onnx --mode auto -j 2 --launcher 'srun -n1' --work-dir "$work/shared" \
  --check 'echo "$SLURM_JOB_ID" >>jobs; ! { grep -q Sin {model} && grep -q Sqrt {model}; }' >log 2>&1 || { cat log; exit 1; }
polygraphy inspect model reduced.onnx --show layers | grep -c '\[Op: ' | grep -qx 2
[ "$(sort -u jobs | grep -c .)" -ge 8 ]  # each check was a separate job
[ -z "$(ls shared)" ]
echo "$(grep Reduced log)"
