import type { Direction } from './types.js';

/** Keeps the changes of a direction quiet for some observations after one was reported. */
export class CoolDown {
  private readonly lastReported = { up: -Infinity, down: -Infinity };

  constructor(private readonly length: number) {}

  isOver(direction: Direction, index: number): boolean {
    return index - this.lastReported[sideOf(direction)] > this.length;
  }

  begin(direction: Direction, index: number): void {
    this.lastReported[sideOf(direction)] = index;
  }
}

function sideOf(direction: Direction): 'up' | 'down' {
  return direction > 0 ? 'up' : 'down';
}
