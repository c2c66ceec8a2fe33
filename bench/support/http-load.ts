import autocannon from 'autocannon';
import { Connection } from './connection.js';

/** What a load process is asked to do; see {@link HttpLoad}. */
export type LoadTask =
  | { readonly kind: 'sequence'; readonly url: string; readonly headers: Headers; readonly count: number }
  | {
      readonly kind: 'requests';
      readonly url: string;
      readonly headers: Headers;
      readonly connections: number;
      readonly seconds: number;
    }
  | {
      readonly kind: 'readers';
      readonly url: string;
      readonly headers: Headers;
      readonly connections: number;
      readonly count: number;
    };

type Headers = Readonly<Record<string, string>>;

/** What a load process reports. */
export interface LoadResult {
  /** Milliseconds of each request, of a sequence. */
  readonly times: number[];
  /** Requests a second, mean over the seconds. */
  readonly perSecond: number;
  readonly bytes: number;
  readonly failed: number;
}

/**
 * Requests one after another on one connection, each read to its end. Over a bare socket: an HTTP client makes a buffer
 * for every 64 KB that arrives, and the time to collect those would be charged to whoever sent them.
 */
async function sequence(url: string, headers: Headers, count: number): Promise<LoadResult> {
  const connection = await Connection.open(new URL(url));
  const times: number[] = [];
  let bytes = 0;
  let failed = 0;
  for (let n = 0; n < count; n += 1) {
    const began = performance.now();
    const reply = await connection.get(url, headers);
    times.push(performance.now() - began);
    bytes = reply.bytes;
    if (reply.status !== 200) failed += 1;
  }
  connection.close();
  return { times, perSecond: 0, bytes, failed };
}

async function work(task: LoadTask): Promise<LoadResult> {
  if (task.kind === 'sequence') return sequence(task.url, task.headers, task.count);
  const result = await autocannon({
    url: task.url,
    headers: { ...task.headers },
    connections: task.connections,
    timeout: 120,
    ...(task.kind === 'requests' ? { duration: task.seconds } : { amount: task.count }),
  });
  return {
    times: [],
    perSecond: result.requests.average,
    bytes: result.throughput.total,
    failed: result.non2xx + result.errors,
  };
}

// a process of its own, so that making the load does not count as the service's work
process.on('message', (task: LoadTask) => {
  work(task).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
