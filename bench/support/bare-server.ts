import fastify, { type FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { BenchService } from './bench-service.js';
import { call, ROWS } from './service-calls.js';

/** The same forecasts as one row a month, as a service would store them that thinks in rows. */
export async function copyToMonthRows(service: BenchService, runId: string): Promise<void> {
  const { pool } = service.database;
  const rows = await call(service, 'GET', `/runs/${runId}/forecasts?limit=${ROWS}`);
  await pool.query(`CREATE TABLE bench_month_rows (
    run_id uuid, unique_id text COLLATE "C", ds date, q10 float8, q50 float8, q90 float8,
    product_name text, category text, unit text, model text, metadata jsonb, mean float8, PRIMARY KEY (run_id, unique_id, ds))`);
  await pool.query(
    `INSERT INTO bench_month_rows
     SELECT $1, r.* FROM jsonb_to_recordset($2::jsonb) AS r (
       unique_id text, ds date, q10 float8, q50 float8, q90 float8,
       product_name text, category text, unit text, model text, metadata jsonb, mean float8)`,
    [runId, JSON.stringify(rows)],
  );
  await pool.query('GRANT SELECT ON bench_month_rows TO PUBLIC');
  await pool.query('VACUUM ANALYZE bench_month_rows, forecasts, series, runs'); // as the server does by itself within minutes
}

/** Handlers with nothing around them but a prepared query and JSON.stringify. */
export async function bareServer(pool: pg.Pool, service: BenchService): Promise<FastifyInstance> {
  const server = fastify();
  server.get<{ Params: { id: string } }>('/rows/:id', async (request, reply) => {
    const { rows } = await pool.query({
      name: 'month-rows',
      text: `SELECT unique_id, ds::text, q10, q50, q90, product_name, category, unit, model, metadata, mean
         FROM bench_month_rows WHERE run_id = $1 ORDER BY unique_id, ds LIMIT ${ROWS}`,
      values: [request.params.id],
    });
    return reply.type('application/json').send(JSON.stringify(rows));
  });
  server.get<{ Params: { id: string } }>('/runs/:id', async (request) => {
    const { rows } = await pool.query({
      name: 'find-run',
      text: `SELECT id, status, workspace_id, trigger, series_total, series_done, config, metrics, error_code, error_message, billed, created_at, started_at, finished_at
         FROM runs WHERE id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR workspace_id = $3)`,
      values: [request.params.id, service.organizationId, service.workspaceId],
    });
    return rows[0] as object;
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  return server;
}
