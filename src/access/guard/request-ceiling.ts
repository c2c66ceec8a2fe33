import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '../../../config/settings.js';
import { Problem } from '../../platform/http/problem.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { addressBlock } from '../network/address-block.js';
import { addressOfRequest } from '../network/client-address.js';

/**
 * Throttles callers that send far more requests than any client needs, so that a runaway loop does not slow down everyone else.
 * Each process counts in memory: the limit protects the process and is not a quota, so no headers announce it.
 */
@Injectable()
export class RequestCeiling {
  private readonly minute: RateLimiterMemory;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {
    this.minute = new RateLimiterMemory({ points: settings.REQUESTS_PER_MINUTE, duration: 60 });
  }

  /** Counts a request to a route that no guard covers, by its address. @throws {Problem} as {@link count} */
  countUnguarded(request: FastifyRequest): Promise<void> {
    request.callerAddress = addressOfRequest(request, this.settings.TRUSTED_PROXIES);
    return this.count(addressBlock(request.callerAddress));
  }

  /**
   * @param caller id of an API key or user, or the address block of a caller without credentials
   * @throws {Problem} 429 `too_many_requests` with Retry-After
   */
  async count(caller: string): Promise<void> {
    try {
      await this.minute.consume(caller);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.ceil(refusal.msBeforeNext / 1_000);
      throw Problem.tooMany(seconds, `Too many requests. Retry in ${seconds} s.`);
    }
  }
}
