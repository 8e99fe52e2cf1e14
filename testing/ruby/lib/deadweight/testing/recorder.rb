# frozen_string_literal: true

require 'open3'
require 'tmpdir'

module Deadweight
  module Testing
    # The recorder: inside the gem, or beside it in the checkout.
    module Recorder
      PACKED = File.expand_path('../../../recorder', __dir__)
      DIRECTORY = File.directory?(PACKED) ? PACKED : File.expand_path('../../../../../recorders/ruby', __dir__)

      # Under `deadweight run` it is there already.
      unless defined?(::Deadweight::Capture)
        %w[settings capture].each { |name| require File.join(DIRECTORY, "deadweight_#{name}") }
      end

      @started = false

      class << self
        # A capture; gives its directory.
        def take(parent, program, churn: false, operations: 0)
          directory = File.join(parent, program)
          Dir.mkdir(directory, 0o700)
          settings = settings(directory, program, churn: churn, operations: operations)
          ::Deadweight::Capture.take(settings, 1, 'threshold', 'test')
          File.join(directory, Dir.children(directory).first)
        end

        # What the block gives, and a record of what it makes.
        def churn(parent, operations)
          start(operations, parent)
          ::Deadweight::Churn.operations = operations
          ::Deadweight::Churn.begin_anew
          value = yield
          ::Deadweight::Churn.pause
          [value, take(parent, 'churn', churn: true, operations: operations)]
        ensure
          ::Deadweight::Churn.pause
        end

        private

        def start(operations, parent)
          return if @started

          ::Deadweight::Churn.start(settings(parent, 'churn', churn: true, operations: operations))
          @started = true
        end

        def settings(directory, program, churn:, operations:)
          ::Deadweight::Settings.untriggered(
            directory: directory, program: program, snapshot: !churn, churn: churn, library: library, operations: operations
          )
        end

        # The library that counts: the command carries it.
        def library
          named = ENV['DEADWEIGHT_RUBY_LIBRARY']
          return named if named

          path, status = Open3.capture2(Check.program, 'library', 'ruby')
          path.chomp if status.success?
        rescue SystemCallError
          nil
        end
      end
    end
  end
end
