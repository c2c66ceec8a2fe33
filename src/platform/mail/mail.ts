import { DAY_MS } from '../durations.js';
import { escapeHtml } from '../http/replies/escape-html.js';

/** Milliseconds for which a notice is still worth sending. */
export const NOTICE_MS = 3 * DAY_MS;

/** An email as the outbox accepts it. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The content of an email: plain paragraphs and, if an action is needed, one link. */
export interface MailContent {
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link?: { readonly label: string; readonly url: string };
  /** Shown below the link: how long it works, what to do if the email was unexpected. */
  readonly closing?: readonly string[];
}

const STYLE = {
  body: 'margin:0;padding:24px;background:#ffffff;color:#1f2421;font:16px/1.5 system-ui,Segoe UI,Roboto,sans-serif',
  column: 'max-width:560px;margin:0 auto',
  link: 'display:inline-block;padding:10px 18px;border-radius:6px;background:#1d5c4b;color:#ffffff;text-decoration:none',
  small: 'color:#5d6660;font-size:14px;overflow-wrap:anywhere',
} as const;

/** The email in both formats; the text says everything that the HTML does. */
export function composeMail({ to, subject, paragraphs, link, closing = [] }: MailContent): Mail {
  const text = [...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), ...closing].join('\n\n');
  const paragraph = (content: string, style = ''): string =>
    `<p${style === '' ? '' : ` style="${style}"`}>${escapeHtml(content)}</p>`;
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(subject)}</title></head>`,
    `<body style="${STYLE.body}"><div style="${STYLE.column}">`,
    ...paragraphs.map((content) => paragraph(content)),
    ...(link
      ? [
          `<p><a href="${escapeHtml(link.url)}" style="${STYLE.link}">${escapeHtml(link.label)}</a></p>`,
          paragraph(`If the button does not work, open ${link.url}`, STYLE.small),
        ]
      : []),
    ...closing.map((content) => paragraph(content, STYLE.small)),
    '</div></body></html>',
  ].join('\n');
  return { to, subject, text: `${text}\n`, html };
}
