import { Agent, get } from 'node:http';
import autocannon from 'autocannon';

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

export interface LoadResult {
  /** Milliseconds of each request, of a sequence. */
  readonly times: number[];
  /** Requests a second, mean over the seconds. */
  readonly perSecond: number;
  readonly bytes: number;
  readonly failed: number;
}

/** Requests one after another, each read to its end; with Node's own client, which takes the least time for itself. */
async function sequence(url: string, headers: Headers, count: number): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let bytes = 0;
  let failed = 0;
  for (let n = 0; n < count; n += 1) {
    const began = performance.now();
    const reply = await read(agent, url, headers);
    times.push(performance.now() - began);
    bytes = reply.bytes;
    if (reply.status !== 200) failed += 1;
  }
  agent.destroy();
  return { times, perSecond: 0, bytes, failed };
}

function read(agent: Agent, url: string, headers: Headers): Promise<{ status: number | undefined; bytes: number }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (reply) => {
      let bytes = 0;
      reply.on('data', (chunk: Buffer) => (bytes += chunk.length));
      reply.on('error', reject);
      reply.on('end', () => resolve({ status: reply.statusCode, bytes }));
    });
    request.on('error', reject);
  });
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
