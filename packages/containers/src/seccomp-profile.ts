/**
 * System calls that JavaScript, Python and Shell need. Every other call fails with EPERM, regardless of the engine's default profile. This includes
 * all calls that create namespaces, mount, trace, load programs into the kernel, or had kernel vulnerabilities (io_uring, userfaultfd, keyctl,
 * vmsplice).
 */
const ALLOWED = `
accept accept4 access alarm arch_prctl bind brk capget chdir chmod clock_getres clock_gettime clock_nanosleep close close_range connect
copy_file_range creat dup dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 execve execveat exit
exit_group faccessat faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchown fchownat chown lchown fcntl fdatasync fgetxattr flistxattr flock
fork fstat fstatfs fsync ftruncate futex futex_waitv futimesat getcpu getcwd getdents getdents64 getegid geteuid getgid getgroups getitimer
getpeername getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid getrlimit get_robust_list getrusage getsid getsockname getsockopt
get_thread_area gettid gettimeofday getuid getxattr inotify_add_watch inotify_init inotify_init1 inotify_rm_watch ioctl kill lgetxattr link linkat
listen listxattr llistxattr lseek lstat madvise membarrier memfd_create mincore mkdir mkdirat mknod mknodat mlock mlock2 mmap mprotect mremap msync
munlock munmap nanosleep newfstatat open openat openat2 pause pidfd_open pidfd_send_signal pipe pipe2 poll ppoll prctl pread64 preadv preadv2 prlimit64
pselect6 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv recvfrom recvmmsg recvmsg rename renameat renameat2 restart_syscall rmdir
rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait sched_getaffinity sched_getattr
sched_getparam sched_get_priority_max sched_get_priority_min sched_getscheduler sched_rr_get_interval sched_setaffinity sched_yield select sendfile
sendmmsg sendmsg sendto setgid setgroups setitimer setpgid setpriority setresgid setresuid set_robust_list setsid setsockopt set_tid_address
setuid shutdown sigaltstack signalfd signalfd4 socketpair splice stat statfs statx symlink symlinkat sync_file_range sysinfo tee tgkill time
timer_create timer_delete timerfd_create timerfd_gettime timerfd_settime timer_getoverrun timer_gettime timer_settime times tkill truncate umask uname
unlink unlinkat utime utimensat utimes vfork wait4 waitid write writev fchmodat2 capset
`;

/** Unix, IPv4 and IPv6 sockets. Other socket families, such as VSOCK and NETLINK, reach the host's kernel or hypervisor. */
const FAMILIES = [1, 2, 10];

/** The flags of clone that create namespaces: CLONE_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID and _NEWNET. */
const NAMESPACES = 0x7e020000;

interface Rule {
  names: string[];
  action: 'SCMP_ACT_ALLOW' | 'SCMP_ACT_ERRNO';
  errnoRet?: number;
  args?: { index: number; value: number; valueTwo?: number; op: 'SCMP_CMP_EQ' | 'SCMP_CMP_MASKED_EQ' }[];
}

const EPERM = 1;
const ENOSYS = 38;

const RULES: Rule[] = [
  { names: ALLOWED.split(/\s+/).filter(Boolean), action: 'SCMP_ACT_ALLOW' },
  ...FAMILIES.map((value): Rule => ({
    names: ['socket'],
    action: 'SCMP_ACT_ALLOW',
    args: [{ index: 0, value, op: 'SCMP_CMP_EQ' }],
  })),
  {
    names: ['clone'],
    action: 'SCMP_ACT_ALLOW',
    args: [{ index: 0, value: NAMESPACES, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }],
  },
  // The flags of clone3 are in memory, where a filter cannot read them. After ENOSYS the C library uses clone.
  { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: ENOSYS },
];

/**
 * The profile in the format of Docker's `--security-opt seccomp=`. It lists no architectures, so its rules apply only to the native one. On a 64-bit
 * machine, system calls of other architectures, such as those of 32-bit x86 programs, fail.
 */
export const SECCOMP_PROFILE = JSON.stringify({
  defaultAction: 'SCMP_ACT_ERRNO',
  defaultErrnoRet: EPERM,
  syscalls: RULES,
});
