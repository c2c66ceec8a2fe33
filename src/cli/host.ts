/** Where a command reads settings, writes output and sets the exit code: the process, or a test double. */
export interface Host {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
}

/** Exit codes of unsuccessful commands. */
export const FAILED = 1;
export const BAD_INPUT = 2;
