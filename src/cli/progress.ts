import type {Output} from './output.js'

/** Shows what long work is doing (Q7). */
export interface Progress {
  /** Does one part of the work under a title. */
  step<Result>(title: string, work: () => Promise<Result>): Promise<Result>
}

/** Creates the progress of one command: listr2 on stderr, and only where a terminal shows it. */
export const createProgress = (
  output: Output,
  {isTerminal, quiet}: {isTerminal: boolean; quiet: boolean},
): Progress => ({
  step: (title, work) => (isTerminal && !quiet && !output.isJson ? showStep(title, work) : work()),
})

const showStep = async <Result>(title: string, work: () => Promise<Result>): Promise<Result> => {
  const {DefaultRenderer, Listr, ListrLogger, ProcessOutput} = await import('listr2')
  /** listr2 looks at stdout for a terminal; ours is stderr. */
  class OnStderr extends DefaultRenderer {
    static override nonTTY = true
  }
  let done: {readonly result: Result} | undefined
  const list = new Listr<object, typeof OnStderr, typeof OnStderr>(
    [
      {
        title,
        task: async () => {
          done = {result: await work()}
        },
      },
    ],
    {
      concurrent: false,
      registerSignalListeners: false,
      renderer: OnStderr,
      fallbackRenderer: OnStderr,
      rendererOptions: {
        showErrorMessage: false,
        logger: new ListrLogger({processOutput: new ProcessOutput(process.stderr, process.stderr)}),
      },
    },
  )
  await list.run()
  if (done === undefined) throw new TypeError('A step ended without a result.')
  return done.result
}
