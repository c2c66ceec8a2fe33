import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { SignedWebhook } from '../../platform/http/access-declaration.js';
import { ApiProblem } from '../../platform/http/api-problem.js';
import { ANY_TYPE } from '../../platform/http/openapi/api-request-content.js';
import { WebhooksService } from './webhooks.service.js';

/** Maximum size of a notification in bytes: an order may have 500 lines, each taking a few thousand bytes with taxes and discounts. */
const MAX_NOTIFICATION_BYTES = 4 * 1_048_576;

@ApiTags('Webhooks')
@Controller('webhooks/connectors')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post(':platform/:connector_id')
  @HttpCode(200)
  @SignedWebhook()
  @RouteConfig({ rawBody: true, bodyLimit: MAX_NOTIFICATION_BYTES })
  @ApiOperation({
    summary: 'Receive a webhook',
    description:
      'Receives created and changed orders from the platform, which signs the bytes of the body with the secret of the connector. A delivery is stored, acknowledged and then processed. Repeated and outdated deliveries have no effect.',
  })
  @ApiParam({
    name: 'platform',
    description: 'Platform of the connector.',
    enum: ['shopify', 'woocommerce', 'bigcommerce'],
    example: 'shopify',
  })
  @ApiConsumes(ANY_TYPE)
  @ApiBody({
    required: false,
    description: 'The payload, as the platform sends it.',
    schema: { type: 'object', additionalProperties: true, example: { id: 820982911946154500 } },
  })
  @ApiOkResponse({ description: 'The delivery is accepted.' })
  @ApiProblem(401, 'The connector is unknown or the signature does not match. The response does not say which.', [
    'signature_invalid',
  ])
  @ApiProblem(404, 'The path does not include a connector.', ['not_found'])
  @ApiProblem(413, 'The delivery is larger than 4 MiB.', ['body_too_large'])
  @ApiProblem(429, 'Too many deliveries for the connector are waiting to be processed; see Retry-After.', [
    'too_many_requests',
  ])
  @ApiProblem(503, 'PUBLIC_URL is not set, so the service does not know its public URL.', ['public_url_not_configured'])
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
