import { Body, Controller, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentUser, type UserCaller } from '../access/index.js';
import { Operator, Public } from '../platform/http/access-declaration.js';
import { Paged } from '../platform/http/api-page.js';
import { ApiInvalidRequest, ApiProblem } from '../platform/http/api-problem.js';
import { ApiCreatedAt } from '../platform/http/replies/created.js';
import type { Page } from '../platform/http/pagination.js';
import { CreateReleaseDto, EditReleaseDto, ListReleasesDto } from './dto/inputs.dto.js';
import { ReleaseBody } from './dto/replies.dto.js';
import { ReleasesService } from './releases.service.js';

const ReleaseParam = (): MethodDecorator =>
  ApiParam({ name: 'release', description: 'Id or version of the release.', example: '1.4.0' });
const NoRelease = (): MethodDecorator => ApiProblem(404, 'The release does not exist.', ['not_found']);
const Invalid = (): MethodDecorator => ApiInvalidRequest('A parameter or field is invalid.');

@ApiTags('Releases')
@Controller()
export class ReleasesController {
  constructor(private readonly releases: ReleasesService) {}

  @Get('releases')
  @Public()
  @ApiOperation({ summary: 'List releases', description: 'Returns the releases of the product, newest first.' })
  @Paged({ type: [ReleaseBody] })
  @Invalid()
  list(@Query() query: ListReleasesDto): Promise<Page<ReleaseBody>> {
    return this.releases.list(query);
  }

  @Get('releases/:release')
  @Public()
  @ApiOperation({ summary: 'Get a release', description: 'Returns a release by its id or version.' })
  @ReleaseParam()
  @ApiOkResponse({ type: ReleaseBody })
  @NoRelease()
  read(@Param('release') release: string): Promise<ReleaseBody> {
    return this.releases.get(release);
  }

  @Post('admin/releases')
  @Operator()
  @ApiOperation({
    summary: 'Create a release',
    description:
      'Announces a release. It immediately appears in the changelog and its feeds, and in the notifications of every user.',
  })
  @ApiCreatedAt('release', ReleaseBody)
  @Invalid()
  @ApiProblem(409, 'A release with this version already exists.', ['version_exists'])
  async create(
    @CurrentUser() operator: UserCaller,
    @Body() input: CreateReleaseDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReleaseBody> {
    const release = await this.releases.create(operator, input);
    void reply.header('location', `/releases/${release.version}`);
    return release;
  }

  @Patch('admin/releases/:release')
  @Operator()
  @ApiOperation({
    summary: 'Update a release',
    description:
      'Fields that are omitted stay unchanged. The version cannot be changed, because the release was announced under it.',
  })
  @ReleaseParam()
  @ApiOkResponse({ type: ReleaseBody })
  @Invalid()
  @NoRelease()
  edit(
    @CurrentUser() operator: UserCaller,
    @Param('release') release: string,
    @Body() input: EditReleaseDto,
  ): Promise<ReleaseBody> {
    return this.releases.edit(operator, release, input);
  }
}
