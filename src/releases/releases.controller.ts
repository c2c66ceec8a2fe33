import { Body, Controller, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentUser, type UserCaller } from '../access/index.js';
import { Operator, Public } from '../platform/http/access-declaration.js';
import { Paged } from '../platform/http/api-page.js';
import { ApiInvalidRequest, ApiProblem } from '../platform/http/api-problem.js';
import type { Page } from '../platform/http/pagination.js';
import { CreateReleaseDto, EditReleaseDto, ListReleasesDto } from './dto/inputs.dto.js';
import { ReleaseBody } from './dto/replies.dto.js';
import type { Release } from './release.js';
import { ReleasesService } from './releases.service.js';

const ReleaseParam = (): MethodDecorator =>
  ApiParam({ name: 'release', description: 'Id or version of the release.', example: '1.4.0' });
const NoRelease = (): MethodDecorator => ApiProblem(404, 'There is no such release.', ['not_found']);
const Invalid = (): MethodDecorator => ApiInvalidRequest('A parameter or field is not valid.');

@ApiTags('Releases')
@Controller()
export class ReleasesController {
  constructor(private readonly releases: ReleasesService) {}

  @Get('releases')
  @Public()
  @ApiOperation({ summary: 'List releases of the product', description: 'Newest first.' })
  @Paged({ type: [ReleaseBody] })
  @Invalid()
  list(@Query() query: ListReleasesDto): Promise<Page<Release>> {
    return this.releases.list(query);
  }

  @Get('releases/:release')
  @Public()
  @ApiOperation({ summary: 'Read one release', description: 'By its id or its version.' })
  @ReleaseParam()
  @ApiOkResponse({ type: ReleaseBody })
  @NoRelease()
  read(@Param('release') release: string): Promise<Release> {
    return this.releases.get(release);
  }

  @Post('admin/releases')
  @Operator()
  @ApiOperation({
    summary: 'Announce a release',
    description: 'It appears in the change log, in its feeds, and in the notifications of every user at once.',
  })
  @ApiCreatedResponse({
    type: ReleaseBody,
    headers: { Location: { description: 'Address of the release.', schema: { type: 'string' } } },
  })
  @Invalid()
  @ApiProblem(409, 'There is a release of this version.', ['version_exists'])
  async create(
    @CurrentUser() operator: UserCaller,
    @Body() input: CreateReleaseDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Release> {
    const release = await this.releases.create(operator, input);
    void reply.header('location', `/releases/${release.version}`);
    return release;
  }

  @Patch('admin/releases/:release')
  @Operator()
  @ApiOperation({
    summary: 'Correct a release',
    description: 'Sets the members given. The version stays: the release was announced under it.',
  })
  @ReleaseParam()
  @ApiOkResponse({ type: ReleaseBody })
  @Invalid()
  @NoRelease()
  edit(
    @CurrentUser() operator: UserCaller,
    @Param('release') release: string,
    @Body() input: EditReleaseDto,
  ): Promise<Release> {
    return this.releases.edit(operator, release, input);
  }
}
