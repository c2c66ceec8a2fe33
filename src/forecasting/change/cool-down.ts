/** Keeps the changes of a direction (1: demand rose) quiet for some observations after one was reported. */
export class CoolDown {
  private readonly lastReported = { up: -Infinity, down: -Infinity };

  constructor(private readonly length: number) {}

  isOver(direction: 1 | -1, index: number): boolean {
    return index - this.lastReported[sideOf(direction)] > this.length;
  }

  begin(direction: 1 | -1, index: number): void {
    this.lastReported[sideOf(direction)] = index;
  }
}

function sideOf(direction: 1 | -1): 'up' | 'down' {
  return direction > 0 ? 'up' : 'down';
}
