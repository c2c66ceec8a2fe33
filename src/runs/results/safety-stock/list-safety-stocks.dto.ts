import { PageCursor, PageLimit, type PageSize } from '../../../platform/http/page-query.js';
import { SafetyStockQueryDto } from '../../../safety-stock/index.js';
import { OnlyCategory } from '../../dto/only-series.js';

const SAFETY_STOCKS_PAGE: PageSize = { max: 500, default: 100 };

export class ListSafetyStocksDto extends SafetyStockQueryDto {
  @OnlyCategory()
  category?: string;

  @PageLimit(SAFETY_STOCKS_PAGE, 'Series')
  limit = SAFETY_STOCKS_PAGE.default;

  @PageCursor()
  cursor?: string;
}
