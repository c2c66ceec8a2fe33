import type { IExecuteFunctions } from 'n8n-workflow';

/** Tells executions of this process from those of one before, which may have had the same ids. */
const PROCESS = Date.now().toString(36);

/** The same for every try of one item ("Retry On Fail"), so that a try whose reply was lost has no second effect. */
export function attempt(context: IExecuteFunctions, item: number): string {
  const round = String(context.evaluateExpression('{{ $runIndex }}', item)); // a loop comes to the node again
  return ['n8n', PROCESS, context.getExecutionId(), context.getNode().id, round, item].join(':');
}
