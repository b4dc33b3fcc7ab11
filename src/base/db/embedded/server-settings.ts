export interface Machine {
  memory_bytes: number;
  cpus: number;
}

export interface SettingsRequest {
  machine: Machine;
  socket_dir: string;
  durable: boolean;
  overrides: Record<string, string>;
}

const mb = 1024 * 1024;

/** A server that may lose its data with the machine; for tests, where it saves most of the disk's time. */
const notDurable = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Later groups win: the caller may tune the server, but not open it to anybody else. */
export function serverSettings(request: SettingsRequest): Record<string, string> {
  return {
    ...tuning(request.machine),
    ...quietLog,
    ...(request.durable ? {} : notDurable),
    ...request.overrides,
    listen_addresses: '',
    // The value is a list: quoted, a path may hold commas.
    unix_socket_directories: `"${request.socket_dir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}

export function settingArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function tuning({ memory_bytes, cpus }: Machine): Record<string, string> {
  const sharedBuffers = Math.max(16, Math.min(1024, Math.floor(memory_bytes / 8 / mb)));
  return {
    shared_buffers: `${sharedBuffers}MB`,
    max_connections: '100',
    max_wal_size: '4GB',
    wal_compression: 'on',
    random_page_cost: '1.1',
    timezone: 'UTC',
    // With one or two cores a parallel plan only takes them from delivery.
    ...(cpus <= 2 ? { max_parallel_workers_per_gather: '0' } : {}),
  };
}

/** The log is kept in memory for error messages, so statements and their values must not get into it. */
const quietLog = {
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_min_error_statement: 'panic',
  log_line_prefix: '',
};
