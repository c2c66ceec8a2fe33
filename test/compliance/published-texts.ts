import { type AgreementName, SOC2 } from '../../config/soc2.js';

/** Runs `work` where the operator has published the texts of all agreements; the catalog that is shipped names none. */
export async function withTexts(url: string, work: () => Promise<void>): Promise<void> {
  const agreements = Object.keys(SOC2.agreements).map((name) => SOC2.agreements[name as AgreementName]);
  for (const agreement of agreements) agreement.url = url;
  await work().finally(() => {
    for (const agreement of agreements) delete agreement.url;
  });
}
