import { Injectable } from '@nestjs/common';

/** The only source of the current time outside the database; replaced in tests that move time. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
