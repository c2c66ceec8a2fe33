import { HOUSE_STYLE } from '../../platform/http/replies/house-style.js';

/** Style of the guides: the list of all guides stands beside the page where there is room for it, and is left out where there is not. */
export const GUIDE_STYLE = `${HOUSE_STYLE}
body { max-width: 56rem; padding: 0 1.25rem 4rem; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: 1.25rem 0 1rem; border-bottom: 1px solid var(--line); font-size: .875rem; }
header > a { color: var(--soft); text-decoration: none; }
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; }
h1 { margin: 2rem 0 1rem; font-size: clamp(1.7rem, 4vw, 2.2rem); letter-spacing: -.01em; }
h2 { margin: 3rem 0 1rem; font-size: 1.4rem; } h3 { margin: 2rem 0 .75rem; font-size: 1.1rem; }
h1, h2, h3, h4 { scroll-margin-top: 1rem; }
.wide, pre { overflow-wrap: normal; }
.wide { margin: 1.25rem 0; overflow-x: auto; }
table { border-collapse: collapse; font-size: .9375rem; line-height: 1.5; }
th, td { padding: .45rem .75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead :is(th, td) { border-bottom-color: var(--edge); } td { min-width: 6rem; }
dl { margin: 0; } dt { margin-top: .9rem; } dd { margin: 0; color: var(--soft); }
.all { display: none; }
.skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; }
main:focus { outline: none; }
.turn { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1rem 3rem; margin-top: 4rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
@media (min-width: 70rem) {
  body:has(.all) { max-width: 76rem; }
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0 3.5rem; }
  .all { display: block; position: sticky; top: 0; align-self: start; max-height: 100vh; padding: 2rem .5rem 2rem 0; overflow-y: auto; font-size: .875rem; line-height: 1.4; }
  .all p { margin: 1.5rem 0 .4rem; color: var(--soft); } .all p:first-of-type { margin-top: 0; }
  .all ul { margin: 0; padding: 0; list-style: none; } .all li { margin: .4rem 0; } .all li ul { padding-left: .9rem; }
  .all a { text-decoration: none; } .all a:hover { text-decoration: underline; }
  .all [aria-current] { color: var(--ink); font-weight: 600; }
}
@media print { header, .all, .turn { display: none; } .columns { display: block; } body { max-width: none; padding: 0; font-size: 10.5pt; } }
`;
