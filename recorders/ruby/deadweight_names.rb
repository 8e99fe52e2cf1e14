# frozen_string_literal: true

module Deadweight
  # Names and values that a dump lacks: instance variables, members, constants and globals, and the entries of hashes
  # that are used as records. The methods are taken from where Ruby defines them, for a class may define others of the
  # same name.
  class Names
    CLASS = Kernel.instance_method(:class)
    VARIABLES = Kernel.instance_method(:instance_variables)
    VALUE = Kernel.instance_method(:instance_variable_get)
    TO_A = Struct.instance_method(:to_a)
    MEMBERS = Struct.instance_method(:members)
    CONSTANTS = Module.instance_method(:constants)
    AUTOLOAD = Module.instance_method(:autoload?)
    CONSTANT = Module.instance_method(:const_get)
    CLASS_VARIABLES = Module.instance_method(:class_variables)
    CLASS_VARIABLE = Module.instance_method(:class_variable_get)
    DATA = defined?(::Data) && ::Data.respond_to?(:define) ? ::Data : nil
    DATA_TO_H = DATA&.instance_method(:to_h)
    NAME = Module.instance_method(:name)
    SIZE = Hash.instance_method(:size)
    KEYS = Hash.instance_method(:keys)
    VALUES = Hash.instance_method(:values)
    DEFAULT = Hash.instance_method(:default)
    DEFAULT_PROC = Hash.instance_method(:default_proc)

    # The word for nil; it is a smaller one in later versions, and false is 0.
    LARGEST_NIL = 8

    # Stands for the table of global variables.
    GLOBALS = 1

    # Hashes are records when so many have the same keys; and no hash with more keys than this is one.
    ALIKE = 16
    MOST_KEYS = 64
    # Longer keys are no names, and of more different lists of keys those that come later are not counted.
    LONGEST_KEY = 64
    MOST_LISTS = 100_000

    attr_reader :groups

    def initialize
      @groups = []
      @by_class = {}.compare_by_identity
      @lists = {}
      @keys = Hash.new(0)
      @of_keys = {}
      @count = 0
    end

    # Calls `append` with a list of words for each owner; gives the number of owners.
    def each(append, globals)
      count_keys
      ObjectSpace.each_object do |object|
        case object
        when String, Array then next
        when Hash then entries(object, append)
        when Module then constants(object, append)
        when Struct then members(object, append)
        else
          DATA && object.is_a?(DATA) ? data(object, append) : variables(object, append)
        end
      rescue NoMethodError, TypeError
        # An object without any methods, or one that is not yet whole.
        variables(object, append)
      end
      globals(append, globals)
      @count
    end

    private

    def variables(object, append)
      names = VARIABLES.bind_call(object)
      return if names.empty?

      words = [Fiddle.dlwrap(object), group(CLASS.bind_call(object), names)]
      names.each { |name| words << Fiddle.dlwrap(VALUE.bind_call(object, name)) }
      finish(words, append)
    end

    def members(object, append)
      of_class = @by_class[CLASS.bind_call(object)] ||= {}
      id = of_class[:members] ||= add(MEMBERS.bind_call(object))
      words = [Fiddle.dlwrap(object), id]
      TO_A.bind_call(object).each { |value| words << Fiddle.dlwrap(value) }
      finish(words, append)
    end

    def data(object, append)
      values = DATA_TO_H.bind_call(object)
      words = [Fiddle.dlwrap(object), group(CLASS.bind_call(object), values.keys)]
      values.each_value { |value| words << Fiddle.dlwrap(value) }
      finish(words, append)
    end

    # How many hashes have the same keys, by the hash code of these.
    def count_keys
      ObjectSpace.each_object(Hash) do |hash|
        keys = names_of(hash)
        next unless keys

        code = keys.hash
        @keys[code] += 1 if @keys.size < MOST_LISTS || @keys.key?(code)
      end
    end

    def entries(hash, append)
      size = SIZE.bind_call(hash)
      return if size.zero? || size > MOST_KEYS

      values = VALUES.bind_call(hash)
      # Of a set all values are true.
      return if values.size != size || values.all?(true)

      record(hash, values, append) || slots(hash, values, append)
    end

    # A hash that is used as a record.
    def record(hash, values, append)
      keys = names_of(hash)
      return unless keys && @keys[keys.hash] >= ALIKE

      group = @of_keys.fetch(keys) { @of_keys[keys] = names?(keys) && add(keys) }
      return unless group

      words = [Fiddle.dlwrap(hash), group]
      values.each { |value| words << Fiddle.dlwrap(value) }
      finish(words, append)
      true
    end

    # Keys and values in turn, where one of them stands in its slot and is left out of the dump: under names that are empty.
    def slots(hash, values, append)
      keys = KEYS.bind_call(hash)
      return if keys.size != values.size

      words = keys.zip(values).flatten(1).map { |value| Fiddle.dlwrap(value) }
      return unless words.any? { |word| word.anybits?(7) || word <= LARGEST_NIL }

      finish([Fiddle.dlwrap(hash), add([''] * words.size), *words], append)
    end

    # The keys of a hash that may be used as a record: symbols, or texts. A single text may as well be what was looked up.
    def names_of(hash)
      size = SIZE.bind_call(hash)
      return if size.zero? || size > MOST_KEYS || !CLASS.bind_call(hash).equal?(Hash)
      return if DEFAULT_PROC.bind_call(hash) || !DEFAULT.bind_call(hash).nil?

      keys = KEYS.bind_call(hash)
      return keys if keys.all?(Symbol)

      # Not those of classes of the program's, which may have a hash code of their own.
      keys if size > 1 && keys.all? { |key| CLASS.bind_call(key).equal?(String) }
    end

    # Whether keys can be names of fields.
    def names?(keys)
      keys.all? do |key|
        text = key.to_s
        text.size <= LONGEST_KEY && text.encode('UTF-8').valid_encoding?
      end
    rescue EncodingError
      false
    end

    # Of constants, class variables and variables of the class those that hold data.
    def constants(owner, append)
      found = {}
      CONSTANTS.bind_call(owner, false).each do |name|
        next if AUTOLOAD.bind_call(owner, name, false)

        keep(found, name) { CONSTANT.bind_call(owner, name, false) }
      end
      VARIABLES.bind_call(owner).each { |name| keep(found, name) { VALUE.bind_call(owner, name) } }
      CLASS_VARIABLES.bind_call(owner, false).each { |name| keep(found, name) { CLASS_VARIABLE.bind_call(owner, name) } }
      own(Fiddle.dlwrap(owner), found, append)
    end

    def globals(append, before)
      found = {}
      (global_variables - before).grep(/\A\$[A-Za-z_]\w*\z/).each do |name|
        keep(found, name) { TOPLEVEL_BINDING.eval(name.to_s) }
      end
      own(GLOBALS, found, append)
    end

    def keep(found, name)
      value = yield
      word = Fiddle.dlwrap(value)
      found[name] = word if (word & 7).zero? && !value.is_a?(Module)
    rescue StandardError, LoadError
      nil
    end

    def own(owner, found, append)
      return if found.empty?

      finish([owner, add(found.keys), *found.values], append)
    end

    def group(owner, names)
      of_class = @by_class[owner] ||= {}
      of_class[names] ||= add(names)
    end

    def add(names)
      @lists[names] ||= begin
        @groups << names.map(&:to_s)
        @groups.size - 1
      end
    end

    def finish(words, append)
      @count += 1
      append.call(words)
    end
  end
end
