import { type MeterEvent, post, refusal, type UsageReporter } from './usage-reporter.js';

export interface OpenMeterOptions {
  /** Without a trailing slash; may have a path. */
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly eventType: string;
}

/** OpenMeter (POST /api/v1/events with a single CloudEvent), which counts an id of a source once. */
export class OpenMeterReporter implements UsageReporter {
  readonly acceptedDays = null;
  readonly remembersMs = null; // as long as its own settings say (`dedupe`)

  constructor(private readonly options: OpenMeterOptions) {}

  canBill(): boolean {
    return true; // the subject is the organization itself
  }

  sequenceOf({ id }: MeterEvent): string {
    return id;
  }

  async deliver(event: MeterEvent): Promise<void> {
    const reply = await post(
      `${this.options.url}/api/v1/events`,
      {
        'content-type': 'application/cloudevents+json',
        ...(this.options.apiKey === undefined ? {} : { authorization: `Bearer ${this.options.apiKey}` }),
      },
      JSON.stringify({
        specversion: '1.0',
        id: event.identifier,
        source: 'demand-forecasting',
        type: this.options.eventType,
        subject: event.organizationId,
        time: event.occurredAt.toISOString(),
        datacontenttype: 'application/json',
        data: { value: 1 },
      }),
    );
    if (!reply.ok) throw await refusal('OpenMeter', reply, this.options.apiKey);
    await reply.body?.cancel();
  }
}
