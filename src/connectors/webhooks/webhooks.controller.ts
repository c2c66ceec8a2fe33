import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { SignedWebhook } from '../../platform/http/access-declaration.js';
import { ApiProblem } from '../../platform/http/api-problem.js';
import { ANY_TYPE } from '../../platform/http/api-request-content.js';
import { EXAMPLE_ID } from '../../platform/http/example-ids.js';
import { WebhooksService } from './webhooks.service.js';

/** Bytes of a notification: an order may have 500 lines, of some thousand bytes each with their taxes and discounts. */
const LARGEST_NOTIFICATION = 4 * 1_048_576;

@ApiTags('Webhooks')
@Controller('webhooks/connectors')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post(':platform/:connector_id')
  @HttpCode(200)
  @SignedWebhook()
  @RouteConfig({ rawBody: true, bodyLimit: LARGEST_NOTIFICATION })
  @ApiOperation({
    summary: 'Take a notification of a shop',
    description:
      'Orders created and changed, signed by the platform over the bytes of the body with the secret of the connector. Stored, then acknowledged, then processed; repeated and older notifications change nothing.',
  })
  @ApiParam({ name: 'platform', enum: ['shopify', 'woocommerce', 'bigcommerce'], example: 'shopify' })
  @ApiParam({ name: 'connector_id', format: 'uuid', example: EXAMPLE_ID.connector })
  @ApiConsumes(ANY_TYPE)
  @ApiBody({
    required: false,
    description: 'As the platform sends it.',
    schema: { type: 'object', additionalProperties: true, example: { id: 820982911946154500 } },
  })
  @ApiOkResponse({ description: 'Taken.' })
  @ApiProblem(401, 'The connector is unknown or the signature does not fit; the reply does not say which.', [
    'signature_invalid',
  ])
  @ApiProblem(404, 'The address ends before the connector.', ['not_found'])
  @ApiProblem(413, 'The notification is larger than 4 MiB.', ['body_too_large'])
  @ApiProblem(503, 'The service does not know its public address.', ['public_url_not_configured'])
  receive(
    @Param('platform') platform: string,
    @Param('connector_id') connectorId: string,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
    );
    return this.webhooks.receive(platform, connectorId, { headers, body: request.rawBytes ?? Buffer.alloc(0) });
  }
}
