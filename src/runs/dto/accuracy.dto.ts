import { ApiProperty } from '@nestjs/swagger';

const ratio = (description: string, example: number) =>
  ({ description, type: Number, nullable: true, example }) as const;

/** Metrics of a backtest, or of how forecasts turned out, of a run or of one series; null where there was nothing to compute them from. */
export class AccuracyDto {
  @ApiProperty(
    ratio(
      'Weighted absolute percentage error of the median: sums over all series, where large numbers count most.',
      0.21,
    ),
  )
  wape!: number | null;
  @ApiProperty(
    ratio(
      'Mean absolute scaled error of the median, of a run the mean of its series; below 1 beats the in-sample seasonal naive.',
      0.74,
    ),
  )
  mase!: number | null;
  @ApiProperty(ratio('Root mean squared scaled error of the mean, of a run the mean of its series.', 0.8))
  rmsse!: number | null;
  @ApiProperty(ratio('Sum of (forecast - actual) over sum of actual; above 0 is too high.', 0.01))
  bias!: number | null;
  @ApiProperty(ratio('Weighted quantile loss, averaged over .1 to .9.', 0.17))
  mean_weighted_quantile_loss!: number | null;
  @ApiProperty(ratio('Share of the months compared within q10 to q90; .8 is ideal.', 0.8))
  coverage!: number | null;
  @ApiProperty(
    ratio('Forecast value added: share of the seasonal naive error that is saved, summed as for `wape`.', 0.18),
  )
  skill!: number | null;
}
