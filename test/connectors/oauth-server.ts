import { type PlatformReply, type PlatformRequest, PlatformServer } from './platform-server.js';

/** A platform whose tokens expire and whose refresh tokens are good for one use. */
export abstract class OAuthServer extends PlatformServer {
  readonly client = { id: 'the-client-id', secret: 'the-client-secret' };
  token = 'the first access token, long expired';
  refreshToken = 'the-first-refresh-token';
  refreshes = 0;
  /** What the token endpoint says instead. */
  grantFault: PlatformReply | undefined;

  /** How a connector gets its tokens here. */
  protected get grantSettings() {
    return {
      client_id: this.client.id,
      client_secret: this.client.secret,
      api_url: this.url,
      token_url: `${this.url}/token`,
    };
  }

  protected abstract resource(request: PlatformRequest): PlatformReply;

  protected answer(request: PlatformRequest): PlatformReply {
    if (request.path === '/token') return this.grantFault ?? this.grant(request);
    if (request.headers['authorization'] !== `Bearer ${this.token}`) {
      return { status: 401, body: { Detail: 'TokenExpired' } };
    }
    return this.resource(request);
  }

  private grant({ headers, body }: PlatformRequest): PlatformReply {
    const given = new URLSearchParams(body);
    const basic = Buffer.from(headers['authorization']?.replace('Basic ', '') ?? '', 'base64').toString();
    if (basic !== `${this.client.id}:${this.client.secret}`) return { status: 401, body: { error: 'invalid_client' } };
    const fits = given.get('grant_type') === 'refresh_token' && given.get('refresh_token') === this.refreshToken;
    if (!fits) return { status: 400, body: { error: 'invalid_grant' } };
    return { body: this.issue() };
  }

  /** New tokens; the old ones are void from now on. */
  protected issue(): Record<string, unknown> {
    this.refreshes += 1;
    this.token = `access-token-${this.refreshes}`;
    this.refreshToken = `refresh-token-${this.refreshes}`;
    return { access_token: this.token, refresh_token: this.refreshToken, expires_in: 1_800, token_type: 'bearer' };
  }
}
