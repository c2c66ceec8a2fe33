/** What a command reads its settings from, writes to and tells its end by: the process, or what stands for one. */
export interface Host {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
}

/** Exit codes of a command that did not do what it was asked. */
export const FAILED = 1;
export const BAD_INPUT = 2;
