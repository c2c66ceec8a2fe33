import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type ApiCaller, Caller } from '../access/index.js';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { PublicApi } from '../platform/http/access-declaration.js';
import { readUsage, type Usage } from './quota.js';
import { UsageBody } from './usage.dto.js';

@ApiTags('Usage')
@Controller('api/v1/usage')
export class UsageController {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Get()
  @PublicApi()
  @ApiOperation({
    summary: 'Runs used this month',
    description: "The organization's run quota, what is used of it, runs beyond it, and when counting starts anew.",
  })
  @ApiOkResponse({ type: UsageBody })
  get(@Caller() caller: ApiCaller): Promise<Usage> {
    return readUsage(this.database, caller.organizationId, caller.plan, this.clock.now());
  }
}
