/** Maximum lengths of a text and a title, in characters. */
export const MAX_BODY_LENGTH = 20_000;
export const MAX_TITLE_LENGTH = 200;
/** How long authors may edit or delete a text after writing it. */
export const EDIT_WINDOW_MINUTES = 30;
/** Number of open reports, and of hidden replies, listed with a topic: an author of spam, or of reports, may write any number. */
export const MAX_LISTED = 100;
/** Number of characters of a reported reply shown with its report: many readers may report the same long one. */
export const MAX_EXCERPT = 500;
