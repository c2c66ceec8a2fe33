/** The samples returned by a scrape. */
export class Scrape {
  constructor(readonly text: string) {}

  static async of(url: string, headers: Record<string, string> = {}): Promise<Scrape> {
    const reply = await fetch(url, { headers });
    if (!reply.ok) throw new Error(`the scrape was answered ${reply.status}`);
    return new Scrape(await reply.text());
  }

  /** Sum of the samples with this name whose labels include these; undefined if there are none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const found = this.samples().filter((sample) => sample.name === name);
    const fitting = found.filter((sample) => wanted.every((part) => sample.labels.split(',').includes(part)));
    return fitting.length === 0 ? undefined : fitting.reduce((sum, sample) => sum + sample.value, 0);
  }

  private samples(): { name: string; labels: string; value: number }[] {
    return this.text
      .split('\n')
      .map((line) => /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/.exec(line))
      .flatMap((parts) => (parts ? [{ name: parts[1]!, labels: parts[2] ?? '', value: Number(parts[3]) }] : []));
  }
}
