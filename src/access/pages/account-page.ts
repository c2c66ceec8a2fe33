import { escapeHtml } from '../../platform/http/replies/escape-html.js';
import { HOUSE_STYLE } from '../../platform/http/replies/house-style.js';
import { contentHash, contentPolicy, htmlPage } from '../../platform/http/replies/html-page.js';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly minLength?: number;
}

interface Form {
  /** Where the fields are sent as JSON, with the link's token if there is one. Relative to the page, since PUBLIC_URL may have a path. */
  readonly action: string;
  readonly fields: readonly Field[];
  readonly button: string;
  readonly done: string;
  /** What to do afterwards. */
  readonly next?: readonly NextStep[];
}

/** A sentence that ends with a URL of this service, given relative to the page. */
interface NextStep {
  readonly text: string;
  readonly path: string;
  /** For routes that programs call: shown as text, not as a link. */
  readonly method?: 'POST';
}

/** A page that a link in an email leads to. */
export interface AccountPage {
  readonly title: string;
  readonly lead: string;
  /** With and without a token in the link. */
  readonly form: Form;
  readonly withoutToken?: Form;
}

const STYLE = `${HOUSE_STYLE}
:root { --bad: #9c3328; }
@media (prefers-color-scheme: dark) { :root { --bad: #ee9a8d; } }
body { max-width: 27rem; padding: clamp(2rem, 10vh, 6rem) 1.25rem; }
h1 { margin: 0 0 .4rem; font-size: 1.6rem; line-height: 1.2; }
p { margin: 0 0 1.5rem; } .lead, noscript { color: var(--soft); }
label { display: block; margin: 0 0 .25rem; font-weight: 600; }
input { width: 100%; margin: 0 0 1.1rem; padding: .6rem .7rem; border: 1px solid var(--edge); border-radius: .4rem; background: transparent; color: inherit; font: inherit; }
button { padding: .6rem 1.2rem; border: 0; border-radius: .4rem; background: var(--link); color: var(--on); font: inherit; font-weight: 600; cursor: pointer; }
button[aria-disabled=true] { opacity: .6; cursor: default; }
[aria-invalid=true] { border-color: var(--bad); }
ul { margin: 1.25rem 0 0; padding-left: 1.1rem; } li { margin: 0 0 .8rem; } code, li a { overflow-wrap: anywhere; }
[role=status] { margin: 1.25rem 0 0; white-space: pre-line; } .bad { color: var(--bad); } [hidden] { display: none; }
`;

/**
 * Shows the form for the link, sends it and shows the response. Removes the token from the address bar. Focus stays where it is, or
 * moves to the invalid field or to the response: a button that is disabled, or hidden with its form, would lose it.
 */
const SCRIPT = `
const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
const forms = [...document.forms];
const form = forms.find((candidate) => (candidate.dataset.token === 'yes') === (token !== ''));
const status = document.querySelector('[role=status]');
const tell = (text, bad) => { status.textContent = text; status.className = bad ? 'bad' : ''; };
const refuse = ({ detail, errors = [] }) => {
  const faults = errors.map(({ param, message }) => ({ message, field: form.elements.namedItem(param) }));
  if (faults.length === 0 || faults.some(({ field }) => !field)) return tell(detail, true);
  for (const { field } of faults) field.setAttribute('aria-invalid', 'true');
  faults[0].field.focus();
  tell(faults.map(({ field, message }) => field.labels[0].textContent + ' ' + message + '.').join('\\n'), true);
};
if (!form) tell('The link is incomplete. Open the whole link as it was sent to you.', true);
else {
  form.hidden = false;
  const next = form.nextElementSibling?.matches('ul') ? form.nextElementSibling : undefined;
  for (const place of next?.querySelectorAll('[data-path]') ?? []) place.append(new URL(place.dataset.path, location.href).href);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    for (const field of form.elements) field.removeAttribute('aria-invalid');
    tell('One moment …', false);
    try {
      const values = Object.fromEntries(new FormData(form));
      const reply = await fetch(form.dataset.action, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(token === '' ? values : { ...values, token }),
      });
      if (reply.ok) {
        tell(form.dataset.done, false);
        status.focus();
        form.hidden = true;
        if (next) { next.hidden = false; status.after(next); }
        return;
      }
      if (reply.status === 404) tell('The link has expired or was already used.', true);
      else refuse(await reply.json());
    } catch { tell('The service cannot be reached. Try again.', true); }
    button.ariaDisabled = 'false';
  });
}
`;

/** The page may run its own script and call this service, nothing else; no referrer is sent. */
export const ACCOUNT_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': contentPolicy({
    'style-src': contentHash(STYLE),
    'script-src': contentHash(SCRIPT),
    'connect-src': "'self'",
    'img-src': 'data:',
  }),
  'referrer-policy': 'no-referrer',
};

export function accountPage({ title, lead, form, withoutToken }: AccountPage): string {
  return htmlPage({
    title: `${title} · Demand forecasting service`,
    style: STYLE,
    body: `<main>
<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(lead)}</p>
<noscript><p>This page requires JavaScript. Open it in a browser with JavaScript enabled; the link that was sent to you still works.</p></noscript>
${formHtml(form, true)}
${withoutToken ? formHtml(withoutToken, false) : ''}
<p role="status" id="status" tabindex="-1"></p>
</main>
<script type="module">${SCRIPT}</script>`,
  });
}

function formHtml({ action, fields, button, done, next }: Form, withToken: boolean): string {
  const inputs = fields.map(({ name, label, type, autocomplete, minLength }) => {
    const id = `${withToken ? 'with' : 'without'}-${name}`;
    const shortest = minLength === undefined ? '' : ` minlength="${minLength}"`;
    return `<label for="${id}">${escapeHtml(label)}</label>
<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" aria-describedby="status" required${shortest}>`;
  });
  return `<form data-token="${withToken ? 'yes' : 'no'}" data-action="${action}" data-done="${escapeHtml(done)}" hidden>
${inputs.join('\n')}
<button>${escapeHtml(button)}</button>
</form>${next ? nextHtml(next) : ''}`;
}

function nextHtml(steps: readonly NextStep[]): string {
  const items = steps.map(({ text, path, method }) => {
    const address =
      method === undefined
        ? `<a href="${path}" data-path="${path}"></a>`
        : `<code>${method} <span data-path="${path}"></span></code>`;
    return `<li>${escapeHtml(text)} ${address}</li>`;
  });
  return `<ul hidden>${items.join('')}</ul>`;
}
