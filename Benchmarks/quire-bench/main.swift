Bench.main(Array(CommandLine.arguments.dropFirst()))
