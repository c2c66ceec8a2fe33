import { ApiProperty } from '@nestjs/swagger';

const ratio = (description: string, example: number) =>
  ({ description, type: Number, nullable: true, example }) as const;

/**
 * Metrics of a backtest, or of forecasts against actual demand, for a run or a single series; null if there was no data to compute
 * them from.
 */
export class AccuracyDto {
  @ApiProperty(
    ratio(
      'Weighted absolute percentage error of the median. It is computed from sums over all series, so series with large numbers count most.',
      0.21,
    ),
  )
  wape!: number | null;
  @ApiProperty(
    ratio(
      'Mean absolute scaled error of the median; for a run, the average over its series. Below 1 is better than the in-sample seasonal naive forecast.',
      0.74,
    ),
  )
  mase!: number | null;
  @ApiProperty(ratio('Root mean squared scaled error of the mean; for a run, the average over its series.', 0.8))
  rmsse!: number | null;
  @ApiProperty(
    ratio('Sum of (forecast - actual) divided by the sum of actual. Above 0 means the forecasts are too high.', 0.01),
  )
  bias!: number | null;
  @ApiProperty(ratio('Weighted quantile loss, averaged over .1 to .9.', 0.17))
  mean_weighted_quantile_loss!: number | null;
  @ApiProperty(ratio('Share of the compared months whose demand is between q10 and q90. The ideal is .8.', 0.8))
  coverage!: number | null;
  @ApiProperty(
    ratio(
      'Forecast value added: the share by which the error of the seasonal naive forecast is reduced, summed as for `wape`.',
      0.18,
    ),
  )
  skill!: number | null;
}
