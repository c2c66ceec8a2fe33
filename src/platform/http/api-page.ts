import { ApiOkResponse, type ApiResponseOptions } from '@nestjs/swagger';

/** Documents the reply of a list that `sendPage` of ./pagination.ts answers: as given, with the Link to the next page. */
export const ApiPage = (reply: ApiResponseOptions): MethodDecorator =>
  ApiOkResponse({
    ...reply,
    headers: {
      Link: { description: '`rel="next"` where there is another page.', schema: { type: 'string' } },
      ...reply.headers,
    },
  });
