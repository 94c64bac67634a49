/**
 * The YAML library, behind a module of its own: it is imported only where a YAML file is at hand, and a bundler keeps the
 * names of a CommonJS package for a static import alone.
 */
export {isMap, isScalar, isSeq, LineCounter, parseDocument} from 'yaml'
