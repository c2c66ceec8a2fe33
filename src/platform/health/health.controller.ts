import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Database } from '../database/database.js';
import { within } from '../deadline.js';
import { Public } from '../http/access-declaration.js';
import { ApiProblem } from '../http/api-problem.js';
import { Problem } from '../http/problem.js';
import { Lifecycle } from '../lifecycle.js';

/** Milliseconds the database has to answer before the process counts as not ready. */
const DATABASE_DEADLINE_MS = 2_000;

class HealthBody {
  @ApiProperty({ enum: ['live', 'ready'] })
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
    summary: 'Is the process alive',
    description: 'Answers 200 as long as the event loop turns; restart the process when it does not.',
  })
  @ApiOkResponse({ type: HealthBody, example: { status: 'live' } })
  live(): HealthBody {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'May traffic be sent here',
    description: 'Answers 200 when the service has started, its database answers and it is not shutting down.',
  })
  @ApiOkResponse({ type: HealthBody, example: { status: 'ready' } })
  @ApiProblem(503, 'Starting, stopping, or without a database.', ['not_ready'])
  async ready(): Promise<HealthBody> {
    if (!this.lifecycle.ready) throw Problem.notReady('The service is starting or stopping.');
    if (!(await this.databaseAnswers())) throw Problem.notReady('The database does not answer.');
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
