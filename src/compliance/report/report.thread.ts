import { renderReport } from './render-report.js';

/** The task of a {@link ReportWriter} thread. */
export default renderReport;
