import type { ApiResponseOptions } from '@nestjs/swagger';

/** The Content-Disposition of a reply to be saved as a file with this name (ASCII, without quotes). */
export const attachment = (fileName: string): string => `attachment; filename="${fileName}"`;

/** Documents that header. @param when which replies have it (`of CSV`); all by default */
export const fileNameHeader = (when?: string): NonNullable<ApiResponseOptions['headers']> => ({
  'Content-Disposition': {
    description: when === undefined ? 'The file name.' : `The file name, ${when}.`,
    schema: { type: 'string' },
  },
});
