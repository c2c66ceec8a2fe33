import { SingleBar } from 'cli-progress';

/** Shows the progress of an operation: as a bar in a terminal, elsewhere as an occasional line. */
export interface Progress {
  update(done: number, total: number): void;
  finish(): void;
}

export function createProgress(label: string): Progress {
  return process.stdout.isTTY ? terminalBar(label) : plainLines(label);
}

function terminalBar(label: string): Progress {
  const bar = new SingleBar({
    format: `${label} {bar} {value}/{total} series`,
    stream: process.stdout,
    hideCursor: true,
    barCompleteChar: '█',
    barIncompleteChar: '░',
  });
  let begun = false;
  return {
    update: (done, total) => {
      if (begun) bar.update(done);
      else bar.start(total, done);
      begun = true;
    },
    finish: () => bar.stop(),
  };
}

function plainLines(label: string): Progress {
  let lastShown = -1;
  return {
    update: (done, total) => {
      const quarter = total === 0 ? 0 : Math.floor((4 * done) / total);
      if (quarter === lastShown) return;
      lastShown = quarter;
      process.stdout.write(`${label}: ${done} of ${total} series\n`);
    },
    finish: () => undefined,
  };
}
