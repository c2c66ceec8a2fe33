import { clamp } from '../../numeric/clamp.js';
import { PANEL_COLUMNS } from './matrix-kernel.js';
import { type DenseLayer, networkLayout, type NetworkShape } from './shape.js';

/** One network. */
export interface NetworkWeights {
  readonly shape: NetworkShape;
  /** The parameter vector of `networkLayout(shape)`. */
  readonly parameters: Float32Array;
}

/*
 * File format, little endian, one network after the other: uint16 hidden, uint16 blocks, then for every layer in order: a
 * float32 step for every output column, the weights as int8 multiples of their column's step (in panel order), and the float32
 * biases where there are any.
 */
const HEADER_BYTES = 4;
const FLOAT_BYTES = 4;
const INT8_LIMIT = 127;

function encodedBytes(layer: DenseLayer): number {
  const floats = layer.outputs * (layer.bias === undefined ? 1 : 2);
  return floats * FLOAT_BYTES + layer.inputs * layer.outputs;
}

/** Column of the weight at position `index` of a layer's panels. */
const columnOf = (layer: DenseLayer, index: number): number =>
  Math.floor(index / (layer.inputs * PANEL_COLUMNS)) * PANEL_COLUMNS + (index % PANEL_COLUMNS);

function networkBytes(shape: NetworkShape): number {
  return HEADER_BYTES + networkLayout(shape).layers.reduce((sum, layer) => sum + encodedBytes(layer), 0);
}

/** Rounds weights to eight bits a weight with one scale per output column; biases stay in single precision. */
export function encodeWeights(networks: readonly NetworkWeights[]): Uint8Array {
  const bytes = new Uint8Array(networks.reduce((sum, { shape }) => sum + networkBytes(shape), 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const network of networks) at = encodeNetwork(network, view, at);
  return bytes;
}

function encodeNetwork({ shape, parameters }: NetworkWeights, view: DataView, start: number): number {
  view.setUint16(start, shape.hidden, true);
  view.setUint16(start + 2, shape.blocks, true);
  let at = start + HEADER_BYTES;
  for (const layer of networkLayout(shape).layers) {
    const count = layer.inputs * layer.outputs;
    const steps = new Float32Array(layer.outputs);
    for (let i = 0; i < count; i++) {
      const column = columnOf(layer, i);
      steps[column] = Math.max(steps[column]!, Math.abs(parameters[layer.weights + i]!) / INT8_LIMIT);
    }
    for (const step of steps) {
      view.setFloat32(at, step, true);
      at += FLOAT_BYTES;
    }
    for (let i = 0; i < count; i++) {
      const step = steps[columnOf(layer, i)]!;
      const multiple = step > 0 ? Math.round(parameters[layer.weights + i]! / step) : 0;
      view.setInt8(at++, clamp(multiple, -INT8_LIMIT, INT8_LIMIT));
    }
    if (layer.bias === undefined) continue;
    for (let j = 0; j < layer.outputs; j++) {
      view.setFloat32(at, parameters[layer.bias + j]!, true);
      at += FLOAT_BYTES;
    }
  }
  return at;
}

/**
 * Reads what {@link encodeWeights} wrote.
 * @throws RangeError when the length does not fit the shapes in the headers.
 */
export function decodeWeights(bytes: Uint8Array): NetworkWeights[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const networks: NetworkWeights[] = [];
  for (let at = 0; at < bytes.length;) {
    const shape = { hidden: view.getUint16(at, true), blocks: view.getUint16(at + 2, true) };
    const end = at + networkBytes(shape);
    if (end > bytes.length)
      throw new RangeError(`network weights: ${JSON.stringify(shape)} needs ${end} bytes, there are ${bytes.length}`);
    networks.push({ shape, parameters: decodeNetwork(shape, view, at + HEADER_BYTES) });
    at = end;
  }
  return networks;
}

function decodeNetwork(shape: NetworkShape, view: DataView, start: number): Float32Array {
  const { layers, size } = networkLayout(shape);
  const parameters = new Float32Array(size);
  let at = start;
  for (const layer of layers) {
    const steps = at;
    at += layer.outputs * FLOAT_BYTES;
    for (let i = 0; i < layer.inputs * layer.outputs; i++) {
      const step = view.getFloat32(steps + columnOf(layer, i) * FLOAT_BYTES, true);
      parameters[layer.weights + i] = view.getInt8(at++) * step;
    }
    if (layer.bias === undefined) continue;
    for (let j = 0; j < layer.outputs; j++) {
      parameters[layer.bias + j] = view.getFloat32(at, true);
      at += FLOAT_BYTES;
    }
  }
  return parameters;
}
