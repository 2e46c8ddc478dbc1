#!/bin/bash
# Attempts to leave a sandbox, in Bash. Ends with 10 if one is out, 20 if it is held; anything else is broken.
out() { exit 10; }
held() { exit 20; }
case $1 in
tcp) (exec 3<>"/dev/tcp/127.0.0.1/$T_TCP") && out || held ;;
udp) (exec 3<>"/dev/udp/127.0.0.1/$T_UDP" && echo ping >&3 && [ "$(timeout 1 head -c 4 <&3)" = ping ]) && out || held ;;
pgpass) read -r _ <"$T_HOME/.pgpass" && out || held ;;
write_home) (echo escaped >"$T_HOME/escaped-too") && out || held ;;
append_profile) (echo escaped >>"$T_HOME/.bashrc") && out || held ;;
write_program) (: >/usr/local/bin/verigate-escape) && out || held ;;
mount) mount -t tmpfs none /mnt && out || held ;;
remount) mount -o remount,rw / && touch /etc/verigate-escape && out || held ;;
unshare_root) unshare -Urm sh -c "umount -l '$T_HOME' /root /home 2>/dev/null; cat '$T_HOME/.ssh/id'" && out || held ;;
signal) kill -TERM "$T_KILL_TOO" && out || held ;;
stop_gate) kill -0 "$T_GATE" && out || held ;;
daemon)
    (setsid bash -c 'exec -a "$T_MARK_SH" sleep 60' </dev/null >/dev/null 2>&1 &)
    held
    ;;
disowned)
    (trap '' HUP TERM; exec -a "$T_MARK_NOHUP" sleep 60) </dev/null >/dev/null 2>&1 &
    disown
    held
    ;;
first_file) read -r _ <"/proc/1/cwd$T_HOME/.ssh/id" && out || held ;;
fifo) [ -p "$T_FIFO" ] && (echo escaped >"$T_FIFO") && out || held ;;
esac
exit 30
