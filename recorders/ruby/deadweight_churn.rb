# frozen_string_literal: true

module Deadweight
  # What the program makes: a library counts each object by the stack that made it, and weighs it when it dies.
  module Churn
    FILE = 'made.churn'

    # Its slots are all of one size, and a container that never held anything can be told by its slot.
    IS_3_1 = RUBY_VERSION.start_with?('3.1.')

    OBJECTS = :total_allocated_objects

    @operations = 0
    @recording = false

    class << self
      attr_accessor :operations

      # Begins, as the last thing the recorder does before the program.
      def start(settings)
        return unless settings.churn
        raise 'its library was not found beside the command' if settings.library.nil?

        # An object that is moved loses its record.
        GC.auto_compact = false if GC.respond_to?(:auto_compact) && GC.auto_compact
        load(settings.library)
        @given = settings.operations
        @compactions = compactions
        @recording = @start.call(Fiddle.dlwrap(nil), __dir__, IS_3_1 ? 1 : 0, settings.share, Fiddle.dlwrap(OBJECTS)) == 1
        raise 'this interpreter lacks what is needed' unless @recording

        at_exit { @end.call } if settings.share.positive?
      end

      def pause
        @pause.call(1) if @recording
      end

      # As if nothing had been made before: tests measure one block after the other.
      def begin_anew
        @forget.call if @recording
        resume
      end

      def resume
        @pause.call(0) if @recording
      end

      # Writes what was made until now; garbage was collected just before.
      def write(directory)
        return nil unless @recording
        raise 'the heap was compacted meanwhile, so its objects cannot be distinguished' if compactions != @compactions

        operations = @operations.positive? ? @operations : @given
        Files.write(directory, FILE) do |file|
          file.flush
          failed = @write.call(file.fileno, RUBY_VERSION, Dir.pwd, operations)
          raise 'the file could not be written' unless failed.zero?
        end
        { file: FILE, operations: operations, objects: @objects.call }
      end

      private

      # All are called with the interpreter's lock: other threads make objects, too.
      def load(path)
        library = Fiddle.dlopen(path)
        function = lambda do |name, arguments, result|
          Fiddle::Function.new(library["deadweight_churn_#{name}"], arguments, result, need_gvl: true)
        end
        text = Fiddle::TYPE_VOIDP
        word = Fiddle::TYPE_UINTPTR_T
        number = Fiddle::TYPE_INT
        @start = function.call('start', [word, text, number, number, word], number)
        @pause = function.call('pause', [Fiddle::TYPE_INT], Fiddle::TYPE_VOID)
        @end = function.call('end', [], Fiddle::TYPE_VOID)
        @forget = function.call('forget', [], Fiddle::TYPE_VOID)
        @objects = function.call('objects', [], -Fiddle::TYPE_LONG_LONG)
        arguments = [Fiddle::TYPE_INT, text, text, Fiddle::TYPE_LONG_LONG]
        @write = function.call('write', arguments, Fiddle::TYPE_INT)
      end

      def compactions
        GC.stat[:compact_count] || 0
      end
    end
  end

  # A program marks its operations by this, where the recorder is loaded: `Deadweight.operation if defined?(Deadweight)`.
  def self.operation(count = 1)
    Churn.operations += count
  end
end
