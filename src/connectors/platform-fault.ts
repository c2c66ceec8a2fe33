import { counted } from '../platform/counted.js';

/**
 * How a sync goes on after a fault. `wait`: as long as the platform asked to; `passing`: tried again for a while; `refused`: the sync
 * fails, and the next one reads the list anew, since it may be the place in the list that was refused; `closed`: the sync fails,
 * since nothing can be read at the moment, and the next one goes on where it stopped; `reconnect`: the same, once the connector has
 * credentials that work.
 */
export type FaultKind = 'wait' | 'passing' | 'refused' | 'closed' | 'reconnect';

/** A fault of a platform. The message is shown to members and never quotes what either side has sent. */
export class PlatformFault extends Error {
  override readonly name = 'PlatformFault';

  private constructor(
    readonly kind: FaultKind,
    readonly code: string,
    message: string,
    /** Milliseconds, of `wait`, and of `passing` where the platform says when it is back. */
    readonly waitMs = 0,
    /** Of the reply that was a refusal, where one was. */
    readonly status?: number,
  ) {
    super(message);
  }

  static wait(waitMs: number): PlatformFault {
    const seconds = counted(Math.ceil(waitMs / 1_000), 'second');
    return new PlatformFault('wait', 'rate_limited', `The platform asked to wait for ${seconds}.`, waitMs);
  }
  static passing(code: string, message: string, waitMs = 0): PlatformFault {
    return new PlatformFault('passing', code, message, waitMs);
  }
  static refused(code: string, message: string, status?: number): PlatformFault {
    return new PlatformFault('refused', code, message, 0, status);
  }
  /** The platform refuses whatever is asked for: it is shut, away or elsewhere. */
  static closed(code: string, message: string, status?: number): PlatformFault {
    return new PlatformFault('closed', code, message, 0, status);
  }
  static reconnect(code: string, message: string): PlatformFault {
    return new PlatformFault('reconnect', code, message);
  }
  /** The credentials are good, but lack a right or have lost it. */
  static revoked(message: string): PlatformFault {
    return PlatformFault.reconnect('access_revoked', message);
  }
}
