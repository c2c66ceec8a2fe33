import type fc from 'fast-check';
import { untilCachesExpire } from '../support/time/until-caches-expire.js';
import { Dice } from './dice.js';
import type { Model } from './model.js';
import { type Cast, type Operation, Refuted } from './operation.js';
import { MAKERS } from './operations/index.js';
import { describeCall, type Reply, type World } from './world.js';

/** Calls that ran at once leave open which came first: all states that the service may be in. */
export interface Beliefs {
  possible: readonly Model[];
}

export interface Stage {
  readonly world: World;
  readonly cast: Cast;
}

/** States that are kept in mind at most; replies soon tell which of them are wrong. */
const MAX_POSSIBLE = 200;

/** One call, or several at once through different processes: their replies must be those of some order of the calls. */
export class Step implements fc.AsyncCommand<Beliefs, Stage> {
  private description = '';

  /** @param kinds names of {@link MAKERS}, which all make their calls of the same numbers: about the same things */
  constructor(
    private readonly kinds: readonly string[],
    private readonly rolls: readonly number[],
  ) {}

  check(): boolean {
    return true;
  }

  async run(beliefs: Beliefs, { world, cast }: Stage): Promise<void> {
    const [likely] = beliefs.possible;
    const operations = this.kinds.flatMap((kind) => MAKERS[kind]!(likely!, new Dice(this.rolls), cast) ?? []);
    this.description = operations.map(describeCall).join(' beside ');
    const replies = await Promise.all(operations.map((operation) => world.send(operation)));
    this.description = operations
      .map((operation, at) => `${describeCall(operation)} → ${shown(replies[at]!)}`)
      .join(' beside ');
    beliefs.possible = after(beliefs.possible, operations, replies);
    if (operations.some(changesAccess)) await untilCachesExpire();
  }

  toString(): string {
    return `\n${this.description || this.kinds.join(' beside ')}`;
  }
}

const shown = ({ status, code }: Reply): string => [status, ...(code === undefined ? [] : [code])].join(' ');

/** What other processes may believe for half a second more. */
const changesAccess = ({ method, path }: Operation): boolean =>
  method !== 'GET' && /^\/(admin\/(orgs|flags)\/|orgs\/[^/]+($|\/restore$|\/api-keys|\/workspaces))/.test(path);

/** What may be so after the replies. @throws {Refuted} where no order of the calls gives them */
function after(before: readonly Model[], operations: readonly Operation[], replies: readonly Reply[]): Model[] {
  const possible = new Map<string, Model>();
  const why = new Set<string>();
  for (const model of before) {
    for (const order of ordersOf(operations.map((_, at) => at))) {
      const next = copyOf(model);
      try {
        for (const at of order) operations[at]!.judge(next, replies[at]!);
        next.going = [];
        possible.set(JSON.stringify(next), next);
      } catch (error) {
        if (!(error instanceof Refuted)) throw error;
        why.add(error.message);
      }
    }
  }
  if (possible.size === 0) throw new Refuted([...why].join('\n'));
  return [...possible.values()].slice(0, MAX_POSSIBLE);
}

const copyOf = (model: Model): Model => JSON.parse(JSON.stringify(model)) as Model;

function ordersOf(items: readonly number[]): number[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first) => ordersOf(items.filter((item) => item !== first)).map((rest) => [first, ...rest]));
}
