import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Database } from '../database/database.js';
import { within } from '../work/deadline.js';
import { Public } from '../http/access-declaration.js';
import { ApiProblem } from '../http/api-problem.js';
import { Problem } from '../http/problem.js';
import { Lifecycle } from '../lifecycle.js';

/** Milliseconds within which the database must answer for the process to count as ready. */
const DATABASE_DEADLINE_MS = 2_000;

class HealthBody {
  @ApiProperty({
    enum: ['live', 'ready'],
    description: '`live` from the liveness probe, `ready` from the readiness probe.',
  })
  status!: 'live' | 'ready';
}

@ApiTags('Health')
@Public({ probe: true })
@Controller('health')
export class HealthController {
  constructor(
    private readonly lifecycle: Lifecycle,
    private readonly database: Database,
  ) {}

  @Get('live')
  @ApiOperation({
    summary: 'Check liveness',
    description: 'Returns 200 as long as the event loop is running. If it does not respond, restart the process.',
  })
  @ApiOkResponse({ type: HealthBody, example: { status: 'live' } })
  live(): HealthBody {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'Check readiness',
    description: 'Returns 200 if the service has started, its database responds and it is not shutting down.',
  })
  @ApiOkResponse({ type: HealthBody, example: { status: 'ready' } })
  @ApiProblem(503, 'The service is starting or stopping, or its database is not responding.', ['not_ready'])
  async ready(): Promise<HealthBody> {
    if (!this.lifecycle.ready) throw Problem.notReady('The service is starting or stopping.');
    if (!(await this.databaseAnswers())) throw Problem.notReady('The database is not responding.');
    return { status: 'ready' };
  }

  private async databaseAnswers(): Promise<boolean> {
    const answer = this.database.query('SELECT 1').then(
      () => true,
      () => false,
    );
    return (await within(DATABASE_DEADLINE_MS, answer)) ?? false;
  }
}
