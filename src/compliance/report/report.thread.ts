import { renderReport } from './render-report.js';

/** What a thread of the {@link ReportWriter} does. */
export default renderReport;
